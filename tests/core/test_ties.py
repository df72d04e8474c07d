"""Numbers that are equal but for rounding."""

from orangecontrib.sadd.core.arithmetic import tie_keys


def test_numbers_on_both_sides_of_a_rounding_boundary_are_equal():
    for numbers in ([0.149, 0.151], [0.151, 0.149], [-0.051, -0.049]):
        key = tie_keys(0.1)
        assert len({key(number) for number in numbers}) == 1


def test_keys_are_in_the_order_of_numbers():
    key = tie_keys(1e-12)
    numbers = [0.1 + 0.2, 0.3, 5.0, -1.0, 0.0]
    keys = [key(number) for number in numbers]
    assert keys[0] == keys[1]
    assert keys[3] < keys[4] < keys[0] < keys[2]
