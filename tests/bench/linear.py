"""A dense linear system, solved without leaving the standard library."""


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Return x of matrix · x = vector by elimination, which uses both up."""
    size = len(vector)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(matrix[row][column]))
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        vector[column], vector[pivot] = vector[pivot], vector[column]
        top = matrix[column]
        for row in range(column + 1, size):
            factor = matrix[row][column] / top[column]
            if factor:
                below = matrix[row]
                for index in range(column, size):
                    below[index] -= factor * top[index]
                vector[row] -= factor * vector[column]
    for row in range(size - 1, -1, -1):
        known = sum(matrix[row][n] * vector[n] for n in range(row + 1, size))
        vector[row] = (vector[row] - known) / matrix[row][row]
    return vector
