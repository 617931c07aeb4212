"""The worker: Faust around the apply loop, from Kafka into the read model."""
