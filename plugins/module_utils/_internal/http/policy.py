from .retry import *  # SHIM
from .retry import CircuitBreaker, RetryBudget, backoff
