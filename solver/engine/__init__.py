"""The rules as kernels on packed positions: pure, unchecked, no Python objects inside."""
