"""Connections, transactions, tables and leases."""
