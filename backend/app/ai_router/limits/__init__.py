"""The limits of model servers: how much may be asked of a model, shared by all workers."""
