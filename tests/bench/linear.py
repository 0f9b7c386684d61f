"""A dense linear system, solved without leaving the standard library."""


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Return x of matrix · x = vector by elimination.

    The matrix is symmetric and positive definite, as normal equations are: no pivots
    are sought, and only what is right of the diagonal is read. Unknowns that meet the
    fewest others go first, so that most of what is nought stays nought.
    """
    size = len(vector)
    order = sorted(range(size), key=lambda row: size - matrix[row].count(0.0))
    left = [[matrix[row][column] for column in order] for row in order]
    right = [vector[row] for row in order]
    for column in range(size):
        top = left[column]
        met = [row for row in range(column + 1, size) if top[row]]
        for place, row in enumerate(met):
            factor, below = top[row] / top[column], left[row]
            for other in met[place:]:
                below[other] -= factor * top[other]
            right[row] -= factor * right[column]
    for row in range(size - 1, -1, -1):
        known = sum(left[row][n] * right[n] for n in range(row + 1, size))
        right[row] = (right[row] - known) / left[row][row]
    found = [0.0] * size
    for place, value in zip(order, right, strict=True):
        found[place] = value
    return found
