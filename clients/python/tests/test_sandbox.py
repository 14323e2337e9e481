"""Tests against a running sandbox: `BOURSE_TEST_DATA` is its data directory. Each test uses only its own orders."""

import os
import random
import threading
import time
import unittest
import urllib.parse
from decimal import Decimal

import bourse
from bourse import Bourse

from .proxy import Proxy

DATA = os.environ.get("BOURSE_TEST_DATA", "")
BTC, ETH = "BTC/USDT", "ETH/USDT"
LIMIT_S = 60


def until(what, fact):
    end = time.monotonic() + LIMIT_S
    while not fact():
        if time.monotonic() > end:
            raise AssertionError(f"not within {LIMIT_S} s: {what}")
        time.sleep(0.002)


def port_of(exchange):
    return exchange._http.port


class WithSandbox(unittest.TestCase):
    def setUp(self):
        self.assertTrue(DATA, "BOURSE_TEST_DATA is not set: npm test -- test/python starts a sandbox and sets it")
        self.alice = Bourse.from_sandbox(DATA, "alice")
        self.bob = Bourse.from_sandbox(DATA, "bob")
        for exchange in (self.alice, self.bob):
            self.addCleanup(exchange.close)
            self.addCleanup(exchange.cancel_all)

    def through(self, proxy, name="alice", **options):
        """A client of the sandbox over a proxy."""
        self.addCleanup(proxy.close)
        account = Bourse.from_sandbox(DATA, name)
        exchange = Bourse(f"http://127.0.0.1:{proxy.port}", account._api_key, self.secret(name), **options)
        self.addCleanup(exchange.close)
        return exchange

    @staticmethod
    def secret(name):
        with open(os.path.join(DATA, "sandbox.json"), encoding="utf-8") as file:
            accounts = bourse.json.load(file)["accounts"]
        return next(account["secret"] for account in accounts if account["name"] == name)

    def trade(self, symbol, price, quantity="0.01"):
        """One trade between the two accounts; returns both orders."""
        sold = self.bob.place_order(symbol, "SELL", "LIMIT", quantity=quantity, price=price)
        bought = self.alice.place_order(symbol, "BUY", "LIMIT", quantity=quantity, price=price)
        return sold, bought


class Reading(WithSandbox):
    def test_the_service_and_the_market_are_read(self):
        self.trade(BTC, "50000.5")
        self.alice.place_order(BTC, "BUY", "LIMIT", quantity="0.01", price="40000")
        self.alice.ping()
        self.assertLess(abs(self.alice.time() - self.alice.clock.now()), 60_000)
        self.assertIsNotNone(self.alice.clock.skew_ms)
        self.assertEqual(self.alice.exchange_info()["symbols"][0]["commission"], Decimal("0.001"))
        rules = self.alice.rules(BTC)["symbols"][0]
        self.assertEqual(rules["filters"][0]["tickSize"], Decimal("0.01"))
        self.assertIn((Decimal("40000.00"), Decimal("0.01")), list(self.alice.depth(BTC, limit=10)["buy"].items()))
        self.assertEqual(self.alice.trades(BTC, limit=1)[0]["price"], Decimal("50000.5"))
        self.assertIsInstance(self.alice.klines(BTC, "1m", limit=2)[-1][4], Decimal)
        self.assertEqual(self.alice.ticker_price(BTC)["price"], Decimal("50000.5"))
        self.assertEqual(self.alice.ticker_24hr(BTC)["lastPrice"], Decimal("50000.5"))
        self.assertEqual(self.alice.book_ticker(BTC)["bidPrice"], Decimal("40000"))
        self.assertEqual(len(self.alice.book_ticker()), 4)
        self.assertGreater(self.alice.used_weight, 0)

    def test_the_account_is_read_page_by_page(self):
        sold, bought = self.trade(ETH, "3000")
        self.trade(ETH, "3001")
        self.assertEqual(self.alice.order(order_id=bought["id"])["averagePrice"], Decimal(3000))
        fills = list(self.alice.pages(self.alice.my_trades, ETH, limit=1))
        self.assertEqual(len({fill["id"] for fill in fills}), len(fills))
        self.assertIn(bought["id"], [fill["orderId"] for fill in fills])
        self.assertIn(sold["id"], [order["id"] for order in self.bob.pages(self.bob.all_orders, limit=100)])
        entries = list(self.alice.pages(self.alice.account_ledger, "ETH", limit=3))
        free = self.alice.balances()["ETH"]
        self.assertEqual(sum(entry["amount"] for entry in entries), free["free"] + free["locked"] + free["freeze"])
        text, _ = self.alice.account_ledger_csv("ETH", limit=5)
        self.assertTrue(text.startswith("id,time,date,asset"))
        history = self.alice.trade_history(ETH, size=1)
        self.assertEqual((history["total"], history["items"][0]["price"]), (len(fills), Decimal(3001)))
        self.assertEqual(self.alice.wallet_balance("ETH")["free"], free["free"])
        self.assertEqual(self.alice.account_commission(ETH)["commissionRates"]["maker"], Decimal("0.001"))
        self.assertIn("openOrders", self.alice.account_limits(ETH))

    def test_withdrawals_and_deposits_are_read_and_a_key_that_may_not_withdraw_is_told_so(self):
        self.assertEqual(self.alice.withdrawal_addresses("BTC")["addresses"], [])
        self.assertIsInstance(list(self.alice.pages(self.alice.withdrawal_history, "BTC")), list)
        deposits = list(self.alice.pages(self.alice.deposit_history, "BTC", limit=1))
        self.assertTrue(all(isinstance(deposit["amount"], Decimal) for deposit in deposits))
        with self.assertRaises((bourse.WithdrawalRefusedError, bourse.AuthenticationError)):
            self.alice.withdraw("BTC", "0.01", "nobody")

    def test_a_signature_can_be_checked(self):
        self.assertTrue(self.alice.signature_check(symbol=BTC)["isValid"])


class Trading(WithSandbox):
    def test_an_order_lives_from_placement_to_cancel(self):
        order = self.alice.place_order(BTC, "BUY", "LIMIT", quantity=Decimal("0.02"), price=41000, new_client_order_id="py-1")
        self.assertEqual((order["status"], order["price"], order["clientOrderId"]), ("NEW", Decimal(41000), "py-1"))
        self.assertIn(order["id"], [each["id"] for each in self.alice.open_orders(BTC)])
        self.assertIn(order["id"], [each["id"] for each in self.alice.active_orders(BTC)])
        self.assertEqual(self.alice.amend_order("0.01", order_id=order["id"])["quantity"], Decimal("0.01"))
        replaced = self.alice.cancel_replace(
            BTC, "BUY", "LIMIT_MAKER", cancel_id=order["id"], quantity="0.01", price="41001"
        )
        other = replaced["newOrderResponse"]["data"]
        self.assertEqual(other["price"], Decimal(41001))
        self.alice.cancel_order(other["id"])
        self.assertEqual(self.alice.order(order_id=other["id"])["endReason"], "USER")
        with self.assertRaises(bourse.OrderNotFoundError):
            self.alice.cancel_order(other["id"])

    def test_the_common_interfaces_answer_and_one_with_fills_can_be_asked_for(self):
        plain = self.alice.place_order(BTC, "BUY", "LIMIT", quantity="0.01", price="41000", new_order_resp_type=None)
        self.assertEqual((plain["qty"], plain["total"]), (Decimal("0.01"), Decimal(410)))
        self.bob.place_order(BTC, "SELL", "LIMIT", quantity="0.01", price="50001")
        full = self.alice.place_order(BTC, "BUY", "MARKET", total="500.01", new_order_resp_type="FULL")
        self.assertEqual(full["fills"][0]["price"], Decimal(50001))

    def test_refusals_have_the_class_of_their_reason(self):
        for kind, call in (
            (bourse.InsufficientFundsError, lambda: self.alice.place_order(BTC, "BUY", "LIMIT", quantity=1000, price=90000)),
            (bourse.RequestError, lambda: self.alice.depth("NO/SUCH")),
            (bourse.RequestError, lambda: self.alice.place_order(BTC, "BUY", "LIMIT", quantity="1", price="1.001")),
            (bourse.OrderNotFoundError, lambda: self.alice.order(orig_client_order_id="never")),
        ):
            with self.assertRaises(kind):
                call()
        with self.assertRaises(bourse.RequestError) as refused:
            self.alice.place_order(BTC, "BUY", "LIMIT", quantity="1", price="1.006")
        self.assertEqual((refused.exception.parameter, refused.exception.nearest), ("price", "1.01"))
        self.alice.place_order(BTC, "BUY", "LIMIT", quantity="0.01", price="42000", new_client_order_id="py-2")
        with self.assertRaises(bourse.DuplicateOrderError):
            self.alice.place_order(BTC, "BUY", "LIMIT", quantity="0.02", price="42000", new_client_order_id="py-2")
        self.bob.place_order(BTC, "SELL", "LIMIT", quantity="0.01", price="42001")
        with self.assertRaises(bourse.WouldTakeError):
            self.alice.place_order(BTC, "BUY", "LIMIT_MAKER", quantity="0.01", price="42001")

    def test_tests_batches_lists_countdowns_and_mass_cancels(self):
        self.assertEqual(self.alice.test_order(BTC, "BUY", "LIMIT", quantity="0.01", price="39000")["status"], "NEW")
        placed, refused = self.alice.batch(
            [
                {"method": "POST", "symbol": BTC, "side": "BUY", "type": "LIMIT", "quantity": Decimal("0.01"), "price": 39000},
                {"method": "DELETE", "id": "01a0c450-6c7b-7100-8000-000000000001"},
            ]
        )
        self.assertEqual((placed["status"], refused["body"]["reason"]), (200, "UNKNOWN_ORDER"))
        self.trade(BTC, "45000")
        oco = self.alice.place_oco(
            BTC,
            side="SELL",
            quantity="0.01",
            above_type="LIMIT_MAKER",
            above_price="90000",
            below_type="STOP_LOSS",
            below_stop_price="10000",
        )
        self.assertEqual(len(oco["orders"]), 2)
        self.assertEqual(self.alice.order_list(list_id=oco["listId"])["listOrderStatus"], "EXECUTING")
        ended = self.alice.cancel_order_list(cancel_list_id=oco["listId"])
        self.assertEqual(ended["listOrderStatus"], "ALL_DONE")
        working = {"working_type": "LIMIT", "working_side": "BUY", "working_price": "20000", "working_quantity": "0.01"}
        oto = self.alice.place_oto(BTC, **working, pending_type="LIMIT", pending_side="SELL", pending_price="90000")
        self.assertEqual(len(oto["orders"]), 2)
        otoco = self.alice.place_otoco(
            BTC,
            **working,
            pending_side="SELL",
            pending_above_type="LIMIT_MAKER",
            pending_above_price="90000",
            pending_below_type="STOP_LOSS",
            pending_below_stop_price="10000",
        )
        self.assertEqual(len(otoco["orders"]), 3)
        self.assertIn("triggerAt", self.alice.countdown_cancel_all(60_000, symbol=BTC))
        self.assertNotIn("triggerAt", self.alice.countdown_cancel_all(0, symbol=BTC))
        self.assertEqual(self.alice.cancel_all(BTC)["left"], 0)
        self.assertEqual(self.alice.open_orders(BTC), [])

    def test_a_stop_order_follows_the_price_at_a_distance(self):
        self.trade(BTC, "45000")
        stop = self.alice.place_order(BTC, "SELL", "STOP_LOSS", quantity="0.01", trailing_delta=150)
        self.assertEqual((stop["trailingDelta"], stop.get("stopPrice"), stop.get("trailingTime")), (150, None, None))
        self.trade(BTC, "45001")
        self.assertIn("trailingTime", self.alice.order(order_id=stop["id"]))
        self.alice.cancel_order(stop["id"])
        self.assertEqual(self.alice.order(order_id=stop["id"])["status"], "CANCELED")
        with self.assertRaises(bourse.RefusedError) as refused:
            self.alice.place_order(BTC, "SELL", "STOP_LOSS", quantity="0.01", trailing_delta=9)
        self.assertEqual((refused.exception.reason, refused.exception.parameter), ("INVALID_PARAMETER", "trailingDelta"))

    def test_strict_signatures_are_taken(self):
        strict = Bourse(f"http://127.0.0.1:{port_of(self.alice)}", self.alice._api_key, self.secret("alice"), strict=True)
        self.addCleanup(strict.close)
        # Nonces from before the node's start are unknown to it for a short time.
        order = strict.place_order(ETH, "BUY", "LIMIT", quantity="1", price="100")
        strict.amend_order("0.5", order_id=order["id"])
        strict.cancel_order(order["id"])
        self.assertEqual(strict.open_orders(ETH), [])

    def test_a_wrong_secret_is_named_without_showing_it(self):
        wrong = Bourse(f"http://127.0.0.1:{port_of(self.alice)}", self.alice._api_key, "not-the-secret")
        with self.assertRaises(bourse.AuthenticationError) as refused:
            wrong.open_orders()
        self.assertEqual(refused.exception.reason, "INVALID_SIGNATURE")
        self.assertNotIn("not-the-secret", str(refused.exception))


class Faults(WithSandbox):
    ORDERS = 60

    def test_of_many_orders_over_a_bad_connection_each_is_placed_once(self):
        seed = random.randrange(2**32)
        rng = random.Random(seed)

        def lose(data):
            return data.startswith(b"POST /api/v3/order") and rng.random() < 0.3

        proxy = Proxy(port_of(self.alice), lose)
        exchange = self.through(proxy, recv_window=1000)
        ids = [f"py-{seed}-{number}" for number in range(self.ORDERS)]
        for number, key in enumerate(ids):
            if rng.random() < 0.1:
                proxy.cut()
            order = exchange.place_order(
                ETH, "BUY", "LIMIT", quantity="0.01", price=str(100 + number), new_client_order_id=key
            )
            self.assertEqual(order["clientOrderId"], key)
        self.assertGreater(proxy.lost, 0)
        placed = [order["clientOrderId"] for order in self.alice.open_orders(ETH)]
        self.assertEqual(sorted(placed), sorted(ids), f"seed {seed}")

    def test_an_order_that_never_arrives_is_known_not_to_be_placed(self):
        proxy = Proxy(port_of(self.alice))
        exchange = self.through(proxy, recv_window=200, order_attempts=1, timeout_s=0.3)
        exchange.clock.sync()
        arrived = []

        def swallow(data):
            if data.startswith(b"POST /api/v3/order"):
                arrived.append(data)
                raise OSError("swallowed")
            return False

        proxy.lose = swallow
        with self.assertRaises(bourse.NotPlacedError) as raised:
            exchange.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price="100", new_client_order_id="py-swallowed")
        self.assertEqual((len(arrived), raised.exception.client_order_id), (1, "py-swallowed"))
        self.assertEqual(self.alice.open_orders(ETH), [])

    def test_a_list_a_batch_and_a_replacement_whose_answers_are_lost_are_done_once(self):
        first = self.alice.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price="100")
        for path, call in (
            (
                b"POST /api/v3/orderList",
                lambda e: e.place_oto(
                    ETH,
                    working_type="LIMIT",
                    working_side="BUY",
                    working_price="100",
                    working_quantity="0.01",
                    pending_type="LIMIT",
                    pending_side="SELL",
                    pending_price="90000",
                ),
            ),
            (
                b"POST /api/v3/order/batch",
                lambda e: e.batch(
                    [{"method": "POST", "symbol": ETH, "side": "BUY", "type": "LIMIT", "quantity": 1, "price": n} for n in (101, 102)]
                ),
            ),
            (
                b"POST /api/v3/order/cancelReplace",
                lambda e: e.cancel_replace(ETH, "BUY", "LIMIT", cancel_id=first["id"], quantity="0.01", price="103"),
            ),
        ):
            once = [path]
            proxy = Proxy(port_of(self.alice), lambda data, once=once: data.startswith(tuple(once)) and bool(once.pop()))
            call(self.through(proxy, recv_window=1000))
            self.assertEqual(proxy.lost, 1)
        orders = self.alice.open_orders(ETH)
        self.assertEqual(sorted(order["price"] for order in orders), [100, 101, 102, 103, 90000])

    def test_a_cancel_whose_answer_is_lost_is_a_success(self):
        order = self.alice.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price="100")
        once = [b"DELETE"]
        proxy = Proxy(port_of(self.alice), lambda data: data.startswith(tuple(once)) and bool(once.pop()))
        self.through(proxy).cancel_order(order["id"])
        self.assertEqual(proxy.lost, 1)
        self.assertEqual(self.alice.order(order_id=order["id"])["status"], "CANCELED")

    def test_threads_share_a_client(self):
        failures = []

        def work(number):
            try:
                for step in range(5):
                    order = self.alice.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price=str(100 + number))
                    self.alice.cancel_order(order["id"])
            except Exception as failure:  # noqa: BLE001 - told below
                failures.append(failure)
            finally:
                self.alice.close()

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
