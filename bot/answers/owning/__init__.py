"""Buying against renting, terms, whole bills and data sheets."""
