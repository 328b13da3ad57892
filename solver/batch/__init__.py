"""Many games played to learn how good a policy is: the same luck for every policy, and intervals that hold."""
