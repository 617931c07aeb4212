"""Real parts on this machine: one Kafka node, PostgreSQL and Prometheus, on loopback only.

For tests and for `make services`; not a way to run Shipledger for others. Standard library only,
so it works before anything is installed. Nothing here is part of the wheel.
"""
