"""From a released record back to the original one."""
