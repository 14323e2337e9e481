"""The stream against a running sandbox: `BOURSE_TEST_DATA` is its data directory. Tests wait for facts, not for times."""

import random
import threading
import time
import unittest
from decimal import Decimal

import bourse
from bourse import Bourse

from .proxy import Proxy
from .test_sandbox import BTC, ETH, LIMIT_S, WithSandbox, port_of, until

PAIR = "USDT/TRY"


class Streams(WithSandbox):
    def open(self, exchange, **options):
        stream = exchange.stream(**options)
        self.addCleanup(stream.close)
        stream.wait_until_connected(LIMIT_S)
        return stream

    def follow(self, stream, what, fact, seen=None):
        """Takes events until `fact` is true."""
        end = time.monotonic() + LIMIT_S
        while not fact():
            event = stream.next(0.05)
            if event is not None and seen is not None:
                seen.append(event)
            if time.monotonic() > end:
                raise AssertionError(f"not within {LIMIT_S} s: {what}")

    def first(self, stream, channel):
        """The next event of a channel."""
        seen = []
        self.follow(stream, channel, lambda: seen and seen[-1].channel == channel, seen)
        return seen[-1]

    def book_of(self, symbol):
        depth = self.bob.depth(symbol, limit=5000)
        return list(depth["buy"].items()), list(depth["sell"].items())

    def test_channels_and_rooms_say_what_happens(self):
        stream = self.open(Bourse(f"http://127.0.0.1:{port_of(self.alice)}"))
        for channel in ("trades", "bookTicker", "status", "ticker", "kline_1m"):
            stream.subscribe(channel, BTC)
        stream.subscribe("book", BTC, levels=5, interval_ms=100)
        seen = []
        wanted = {"trades", "bookTicker", "status", "ticker", "kline_1m", "book"}
        self.follow(stream, "every channel's state", lambda: {e.channel for e in seen} >= wanted, seen)
        self.trade(BTC, "44000")
        self.follow(stream, "the trade", lambda: any(e.channel == "trades" and "prevSeq" in e.data for e in seen), seen)
        trade = next(e for e in seen if e.channel == "trades" and "prevSeq" in e.data)
        self.assertEqual((trade.symbol, trade.data["trades"][0]["price"]), (BTC, Decimal(44000)))
        stream.unsubscribe("trades", BTC)
        with self.assertRaises(bourse.UsageError):
            stream.unsubscribe("trades", BTC)
        room = self.open(self.bob)
        room.join(ETH)
        self.assertEqual(set(self.first(room, "orders").data), {"sell", "buy"})
        room.change_room(ETH, PAIR)
        self.first(room, "orders")
        self.alice.place_order(PAIR, "BUY", "LIMIT", quantity="1", price="30")
        self.assertEqual(self.first(room, "buy_order_update").data, {Decimal(30): Decimal(1)})

    def test_a_refused_subscription_is_an_event_and_the_stream_goes_on(self):
        stream = self.open(self.alice)
        stream.subscribe("book", "NO/SUCH")
        self.assertEqual(self.first(stream, "error").data["reason"], "UNKNOWN_SYMBOL")
        book = stream.book(BTC)
        self.follow(stream, "the book", lambda: book.is_live)
        without_key = Bourse(f"http://127.0.0.1:{port_of(self.alice)}").stream()
        self.addCleanup(without_key.close)
        with self.assertRaisesRegex(bourse.UsageError, "key"):
            without_key.account()
        with self.assertRaisesRegex(bourse.UsageError, "symbol"):
            without_key.subscribe("trades")

    def test_a_login_that_is_refused_ends_the_stream_with_its_reason(self):
        wrong = Bourse(f"http://127.0.0.1:{port_of(self.alice)}", self.alice._api_key, "not-the-secret")
        stream = wrong.stream()
        self.addCleanup(stream.close)
        with self.assertRaises(bourse.AuthenticationError):
            stream.wait_until_connected(LIMIT_S)
        with self.assertRaises(bourse.AuthenticationError):
            stream.next(LIMIT_S)
        with self.assertRaises(bourse.AuthenticationError):
            stream.place_order(BTC, "BUY", "LIMIT", quantity="1", price="1")

    def test_orders_are_placed_changed_and_canceled_over_the_connection(self):
        stream = self.open(self.alice)
        order = stream.place_order(BTC, "BUY", "LIMIT", quantity="0.02", price="30000")
        self.assertEqual((order["status"], order["quantity"]), ("NEW", Decimal("0.02")))
        self.assertEqual(stream.amend_order("0.01", order_id=order["id"])["quantity"], Decimal("0.01"))
        other = stream.cancel_replace(BTC, "BUY", "LIMIT", cancel_id=order["id"], quantity="0.01", price="30001")
        stream.cancel_order(other["newOrderResponse"]["data"]["id"])
        with self.assertRaises(bourse.OrderNotFoundError):
            stream.cancel_order(order["id"])
        with self.assertRaises(bourse.InsufficientFundsError):
            stream.place_order(BTC, "BUY", "LIMIT", quantity="1000", price="90000")
        batch = [{"method": "POST", "symbol": BTC, "side": "BUY", "type": "LIMIT", "quantity": "0.01", "price": 30002}]
        self.assertEqual(stream.batch(batch)[0]["status"], 200)
        self.assertIn("triggerAt", stream.countdown_cancel_all(60_000, symbol=BTC))
        stream.countdown_cancel_all(0, symbol=BTC)
        self.assertEqual(stream.cancel_all(BTC)["canceled"], 1)

    def test_an_order_whose_answer_the_connection_loses_is_placed_once(self):
        once = [b"answer"]
        proxy = Proxy(port_of(self.alice))
        exchange = self.through(proxy, recv_window=1000)
        stream = self.open(exchange)
        # Frames are masked, so the order's frame cannot be recognized; no other frame is in flight.
        proxy.lose = lambda data: not data.startswith((b"GET", b"POST", b"DELETE")) and bool(once) and bool(once.pop())
        order = stream.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price="100", new_client_order_id="py-stream-lost")
        self.assertEqual(proxy.lost, 1)
        self.assertEqual([each["id"] for each in self.alice.open_orders(ETH)], [order["id"]])
        stream.wait_until_connected(LIMIT_S)
        proxy.refuses = True
        proxy.cut()
        until("the connection is gone", lambda: not stream.is_connected)
        proxy.refuses = False
        stream.cancel_order(order["id"])
        self.assertEqual(self.alice.open_orders(ETH), [])

    def test_book_and_account_stay_those_of_the_exchange_over_cuts_gaps_and_a_full_queue(self):
        seed = random.randrange(2**32)
        rng = random.Random(seed)
        proxy = Proxy(port_of(self.alice))
        stream = self.open(self.through(proxy), queue_max=40)
        book, account = stream.book(PAIR), stream.account()
        seen, fills = [], []
        known = {fill["id"] for fill in self.alice.pages(self.alice.my_trades)}
        self.follow(stream, "book and account", lambda: book.is_live and account.is_live, seen)
        for step in range(120):
            side = rng.choice(["BUY", "SELL"])
            price = Decimal(3000 + rng.randrange(-20, 20)) / 100
            trader = rng.choice([self.alice, self.bob])
            trader.place_order(PAIR, side, "LIMIT", quantity=rng.randrange(1, 20), price=price)
            if step % 40 == 20:
                # A cut before the client has reconnected has no effect.
                self.follow(stream, "a connection to cut", lambda: stream.is_connected, seen)
                proxy.cut()
            if step % 40 == 39 and book.is_live:
                # A level that differs from the exchange's: a checksum finds it, or the next change.
                book._bids.set("1.00", "7.00")
                book.seq -= 1
            if step % 2 == 0:
                self.follow(stream, "an event", lambda before=len(seen): len(seen) > before, seen)
        self.alice.place_order(PAIR, "BUY", "LIMIT", quantity="1", price="1.5")
        wanted = self.book_of(PAIR)
        self.follow(stream, f"the book (seed {seed})", lambda: book.is_live and (book.bids(), book.asks()) == wanted, seen)
        ours = {order["id"]: order for order in self.alice.open_orders()}
        self.follow(stream, f"the orders (seed {seed})", lambda: account.is_live and account.orders == ours, seen)
        free = self.alice.balances()
        self.follow(
            stream,
            f"the balances (seed {seed})",
            lambda: all(account.balances[code]["free"] == balance["free"] for code, balance in free.items()),
            seen,
        )
        made = [fill for fill in self.alice.pages(self.alice.my_trades) if fill["id"] not in known]
        self.follow(
            stream,
            f"the fills (seed {seed})",
            lambda: sum(len(e.data["fills"]) for e in seen if e.channel == "fills") >= len(made),
            seen,
        )
        fills = [fill for event in seen if event.channel == "fills" for fill in event.data["fills"]]
        key = lambda fill: (fill["id"], fill["isMaker"])  # noqa: E731
        self.assertEqual(sorted(fills, key=key), sorted(made, key=key), f"seed {seed}")
        channels = [event.channel for event in seen]
        self.assertGreaterEqual(channels.count("disconnected"), 3, f"seed {seed}")
        self.assertGreaterEqual(book.repairs, 1, f"seed {seed}")

    def test_a_queue_that_nobody_reads_is_bounded_and_loses_no_fill(self):
        stream = self.open(self.alice, queue_max=5)
        stream.subscribe("fills")
        self.first(stream, "fills")
        for number in range(12):
            self.trade(ETH, str(2000 + number))
        until("the queue was full", lambda: not stream.is_connected or len(stream._queue) <= 5)
        fills = []

        def count():
            fills.extend(fill["price"] for e in seen for fill in e.data.get("fills", []) if e.channel == "fills")
            seen.clear()
            return len(fills) >= 12

        seen = []
        self.follow(stream, "all fills", count, seen)
        self.assertEqual(fills, [Decimal(2000 + number) for number in range(12)])

    def test_orders_end_with_the_connection_unless_the_session_goes_on(self):
        proxy = Proxy(port_of(self.alice))
        exchange = self.through(proxy)
        stream = self.open(exchange, cancel_on_disconnect=True, grace_ms=60_000)
        order = stream.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price="100")
        session = stream.session
        proxy.cut()
        seen = []
        self.follow(
            stream, "the session goes on", lambda: any(e.channel == "connected" and e.data["resumed"] for e in seen), seen
        )
        self.assertEqual(stream.session, session)
        self.assertEqual(self.alice.order(order_id=order["id"])["status"], "NEW")
        stream.close()
        brief = self.open(self.alice, cancel_on_disconnect=True, session=session)
        brief.close()
        until("the order ends", lambda: self.alice.order(order_id=order["id"])["status"] == "CANCELED")
        self.assertEqual(self.alice.order(order_id=order["id"])["endReason"], "DISCONNECT")
        again = self.alice.stream(cancel_on_disconnect=True, session=session)
        self.addCleanup(again.close)
        self.first(again, "session_lost")
        again.wait_until_connected(LIMIT_S)
        self.assertNotEqual(again.session, session)

    def test_a_thread_may_place_orders_while_another_reads(self):
        stream = self.open(self.alice)
        account = stream.account()
        placed = []

        def place():
            for number in range(20):
                placed.append(stream.place_order(ETH, "BUY", "LIMIT", quantity="0.01", price=str(100 + number)))

        thread = threading.Thread(target=place)
        thread.start()
        self.follow(stream, "all orders", lambda: len(account.orders) == 20)
        thread.join()
        self.assertEqual(set(account.orders), {order["id"] for order in placed})


if __name__ == "__main__":
    unittest.main()
