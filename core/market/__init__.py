"""Offers, their prices and hours, filtered by what was asked."""
