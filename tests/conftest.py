"""One Hypothesis profile for every property: a busy machine is not a finding, and a failure comes back as it was."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "calm", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("calm")
