"""The wanted quotes of the market maker, without an exchange: `python3 -m unittest test_market_maker`."""

import unittest
from decimal import Decimal

from market_maker import Quote, Rules, Settings, in_order, wanted_quotes, without_own

RULES = Rules(tick=Decimal("0.01"), step=Decimal("0.001"), least_quantity=Decimal("0.001"), least_total=Decimal(1))
SETTINGS = Settings(
    symbol="BTC/USDT",
    quantity=Decimal("0.01"),
    half_spread=Decimal("0.001"),
    skew=Decimal("0.01"),
    limit=Decimal("0.1"),
    tolerance=Decimal(0),
    target=None,
    price=None,
    name="maker",
    recv_window=2000,
    countdown_ms=30000,
    grace_ms=0,
    state=None,
)


def wanted(position="0", best=(None, None), reference="50000", settings=SETTINGS):
    return wanted_quotes(settings, RULES, Decimal(reference), best, Decimal(position))


class Wanted(unittest.TestCase):
    def test_quotes_stand_on_both_sides_of_the_reference(self):
        self.assertEqual(
            wanted(), {"BUY": Quote(Decimal(49950), Decimal("0.01")), "SELL": Quote(Decimal(50050), Decimal("0.01"))}
        )

    def test_who_holds_too_much_quotes_lower_and_who_holds_too_little_higher(self):
        long, short = wanted("0.05"), wanted("-0.05")
        self.assertLess(long["SELL"].price, Decimal(50050))
        self.assertGreater(short["BUY"].price, Decimal(49950))

    def test_at_its_limit_it_buys_or_sells_no_more(self):
        self.assertIsNone(wanted("0.1")["BUY"])
        self.assertIsNone(wanted("-0.1")["SELL"])
        self.assertEqual(wanted("0.0955")["BUY"].quantity, Decimal("0.004"))

    def test_no_quote_reaches_the_other_side(self):
        quotes = wanted("-0.1", best=(Decimal(49000), Decimal("49900.00")))
        self.assertEqual(quotes["BUY"].price, Decimal("49899.99"))
        quotes = wanted("0.1", best=(Decimal("50100.00"), Decimal(51000)))
        self.assertEqual(quotes["SELL"].price, Decimal("50100.01"))

    def test_prices_are_on_the_tick_away_from_the_reference(self):
        quotes = wanted(reference="50000.123")
        self.assertEqual((quotes["BUY"].price, quotes["SELL"].price), (Decimal("49950.12"), Decimal("50050.13")))

    def test_a_quote_that_is_no_order_is_none(self):
        self.assertIsNone(wanted(settings=SETTINGS._replace(quantity=Decimal("0.0001")))["BUY"])
        self.assertIsNone(wanted(reference="0.5")["BUY"])

    def test_the_side_that_is_in_the_way_moves_first(self):
        own = [{"side": "SELL", "price": Decimal(50050)}, {"side": "BUY", "price": Decimal(49950)}]
        self.assertEqual(in_order(wanted(reference="51000"), own), ("SELL", "BUY"))
        self.assertEqual(in_order(wanted(reference="49000"), own), ("BUY", "SELL"))

    def test_the_best_price_is_that_of_others(self):
        levels = [(Decimal(100), Decimal(2)), (Decimal(99), Decimal(1))]
        own = {"price": Decimal(100), "quantity": Decimal(3), "executedQuantity": Decimal(1)}
        self.assertEqual(without_own(levels, [own]), Decimal(99))
        self.assertEqual(without_own(levels, []), Decimal(100))
        self.assertIsNone(without_own([], []))


if __name__ == "__main__":
    unittest.main()
