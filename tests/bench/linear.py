"""A dense linear system, solved without leaving the standard library."""


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Return x of matrix · x = vector by elimination, which uses both up.

    The matrix is symmetric and positive definite, as normal equations are: no pivots
    are sought, and only what is right of the diagonal is read.
    """
    size = len(vector)
    for column in range(size):
        top = matrix[column]
        for row in range(column + 1, size):
            factor = top[row] / top[column]
            if factor:
                below = matrix[row]
                below[row:] = [
                    one - factor * other
                    for one, other in zip(below[row:], top[row:], strict=True)
                ]
                vector[row] -= factor * vector[column]
    for row in range(size - 1, -1, -1):
        known = sum(matrix[row][n] * vector[n] for n in range(row + 1, size))
        vector[row] = (vector[row] - known) / matrix[row][row]
    return vector
