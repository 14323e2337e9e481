"""A market maker as a starting point: one quote per side around a reference price, shifted against its position.

    BOURSE_URL=http://127.0.0.1:8080 BOURSE_KEY=... BOURSE_SECRET=... python3 market_maker.py --symbol BTC/USDT --quantity 0.01

The wanted quotes (`wanted_quotes`) are a function of its observations. `bring` closes the gap between them and the open
orders. Errors are handled in one place (`Maker.run`). README.md beside this file explains each protection.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Dict, List, NamedTuple, Optional, Tuple

from bourse import (
    AuthenticationError,
    Bourse,
    BourseError,
    Event,
    NotPlacedError,
    Order,
    OrderNotFoundError,
    OrderRefusedError,
    OutcomeUnknownError,
    PartlyReplacedError,
    RateLimitError,
    RequestError,
    UsageError,
    WouldTakeError,
)


class Settings(NamedTuple):
    symbol: str
    quantity: Decimal
    """Of each quote, in the base asset."""
    half_spread: Decimal
    """How far each quote is from the centre, as a fraction of the price."""
    skew: Decimal
    """By which fraction of the price the centre moves down for each unit of the base asset that it holds beyond its target."""
    limit: Decimal
    """The position is held between this and its negative, in the base asset."""
    tolerance: Decimal
    """A quote that is off by less than this fraction of the price stays."""
    target: Optional[Decimal]
    """What it should hold of the base asset: the position is what it holds beyond. `None`: what it holds at the start."""
    price: Optional[Decimal]
    """The reference price while the market has none."""
    name: str
    """Its orders' ids begin with it: two makers of one account need two names."""
    recv_window: int
    countdown_ms: int
    grace_ms: int
    state: Optional[str]


class Quote(NamedTuple):
    price: Decimal
    quantity: Decimal


class Rules(NamedTuple):
    """Prices and quantities of the symbol must be multiples of these, and an order has these minima."""

    tick: Decimal
    step: Decimal
    least_quantity: Decimal
    least_total: Decimal


# --- What it wants ----------------------------------------------------------------------------------------------------


def wanted_quotes(
    settings: Settings, rules: Rules, reference: Decimal, best: Tuple[Optional[Decimal], Optional[Decimal]], position: Decimal
) -> Dict[str, Optional[Quote]]:
    """The currently wanted quotes: a pure function. `best`: the others' best bid and ask, which no quote reaches."""
    centre = reference * (1 - settings.skew * position)
    bid, ask = centre * (1 - settings.half_spread), centre * (1 + settings.half_spread)
    best_bid, best_ask = best
    if best_ask is not None:
        bid = min(bid, best_ask - rules.tick)
    if best_bid is not None:
        ask = max(ask, best_bid + rules.tick)
    return {
        "BUY": _quote(rules, multiple(bid, rules.tick, ROUND_FLOOR), min(settings.quantity, settings.limit - position)),
        "SELL": _quote(rules, multiple(ask, rules.tick, ROUND_CEILING), min(settings.quantity, settings.limit + position)),
    }


def _quote(rules: Rules, price: Decimal, quantity: Decimal) -> Optional[Quote]:
    quantity = multiple(quantity, rules.step, ROUND_FLOOR)
    is_order = price > 0 and quantity >= rules.least_quantity and price * quantity >= rules.least_total
    return Quote(price, quantity) if is_order else None


def multiple(value: Decimal, unit: Decimal, rounding: str) -> Decimal:
    return (value / unit).to_integral_value(rounding) * unit


def in_order(wanted: Dict[str, Optional[Quote]], own: List[Order]) -> Tuple[str, ...]:
    """The side that must move first, so that no quote trades with this maker's own on the other side: with rising prices the
    ask.
    """
    bid = wanted.get("BUY")
    is_rising = bid is not None and any(order["side"] == "SELL" and order["price"] <= bid.price for order in own)
    return ("SELL", "BUY") if is_rising else ("BUY", "SELL")


def without_own(levels: List[Tuple[Decimal, Decimal]], own: List[Order]) -> Optional[Decimal]:
    """The best price of other traders."""
    for price, quantity in levels:
        ours = sum((order["quantity"] - order["executedQuantity"] for order in own if order["price"] == price), Decimal(0))
        if quantity > ours:
            return price
    return None


# --- What it does -----------------------------------------------------------------------------------------------------


class Maker:
    def __init__(self, exchange: Bourse, settings: Settings):
        self.exchange = exchange
        self.settings = settings
        self.rules = rules_of(exchange, settings.symbol)
        self.base = settings.symbol.split("/")[0]
        self.let_the_past_end()
        self.stream = exchange.stream(
            cancel_on_disconnect=True, grace_ms=settings.grace_ms, session=load_session(settings.state)
        )
        self.book = self.stream.book(settings.symbol)
        self.account = self.stream.account()
        self.stream.subscribe("status", settings.symbol)
        self.stream.subscribe("trades", settings.symbol)
        self.is_trading = False
        self.last_price = settings.price
        self.target = settings.target
        self.stopping = False
        self.unseen: Dict[str, str] = {}
        """Orders of which the account has still to say what our last request has made of them, with their side: until then the
        side is left alone."""
        self.has_account = False
        self.in_doubt = False
        """What is open may be more than the account shows."""
        self.wait_until = 0.0
        self.countdown_at = 0.0

    def run(self) -> None:
        """Quotes until it is stopped. Every error is handled here: pause, check again, continue."""
        try:
            while not self.stopping:
                try:
                    self.step()
                except RateLimitError as limited:
                    # Open orders stay, and the countdown protects them.
                    self.pause(limited, float(limited.retry_after or 1))
                except (NotPlacedError, WouldTakeError, OrderNotFoundError, PartlyReplacedError) as gone:
                    # The market was faster, or the order certainly does not exist: decide again with current data.
                    say("decides anew:", gone)
                except OutcomeUnknownError as unknown:
                    self.in_doubt = True
                    self.pause(unknown, 1)
                except OrderRefusedError as refused:
                    # Funds are missing, a limit is reached, or the operator changed the rules of the symbol.
                    self.pause(refused, 5)
                    self.rules = rules_of(self.exchange, self.settings.symbol)
                except (AuthenticationError, RequestError, UsageError):
                    raise
                except BourseError as absent:
                    # Halted, closed or unavailable: the stream reports the end, or the next attempt finds it.
                    self.pause(absent, 1)
        finally:
            self.stop()

    def step(self) -> None:
        """Takes the events, and moves the quotes to where they should be."""
        event = self.stream.next(0.25)
        while event is not None:
            self.take(event)
            event = self.stream.next(0)
        if not (self.book.is_live and self.account.is_live) or self.stream.is_stale or time.monotonic() < self.wait_until:
            return
        if self.in_doubt:
            self.recover()
        self.keep_countdown()
        own = self.own_orders()
        if not self.is_trading:
            for order in own:
                self.cancel(order)
            return
        wanted = self.decide(own)
        for side in in_order(wanted, own):
            self.bring(side, [order for order in own if order["side"] == side], wanted.get(side))

    def take(self, event: Event) -> None:
        """Handles an event; book and account update themselves."""
        if event.channel == "status":
            self.is_trading = event.data["status"] == "TRADING" and event.data["exchange"]["phase"] == "TRADING"
        elif event.channel == "trades" and event.data["trades"]:
            self.last_price = event.data["trades"][0]["price"]
        elif event.channel == "orders" and event.symbol is None:
            for order in event.data["orders"]:
                self.unseen.pop(order["id"], None)
            if "prevSeq" not in event.data:
                # A state that replaces the known one, except for the first.
                self.in_doubt, self.has_account = self.has_account, True
                for order in self.own_orders():
                    say("found", order["side"], order["quantity"], "at", order["price"])
        elif event.channel == "fills":
            for fill in event.data["fills"]:
                say("fill", fill["side"], fill["quantity"], "at", fill["price"])
        elif event.channel == "connected":
            save_session(self.settings.state, self.stream.session)
        elif event.channel in ("disconnected", "session_lost", "shutdown", "stale", "reset"):
            say(event.channel, event.data)
        elif event.channel == "error":
            raise UsageError(f"a subscription was refused: {event.data}")

    def own_orders(self) -> List[Order]:
        """This maker's open orders, oldest first: those in its symbol with its name."""
        own = [
            order
            for order in self.account.orders.values()
            if order["symbol"] == self.settings.symbol and self.is_own(order)
        ]
        return sorted(own, key=lambda order: order["id"])

    def decide(self, own: List[Order]) -> Dict[str, Optional[Quote]]:
        """Quotes around the middle of the others' best prices; without both, around the last price."""
        best = (without_own(self.book.bids(20), own), without_own(self.book.asks(20), own))
        bid, ask = best
        reference = (bid + ask) / 2 if bid is not None and ask is not None else self.last_price
        balance = self.account.balances[self.base]
        holdings = balance["free"] + balance["locked"]
        if self.target is None:
            self.target = holdings
        if reference is None:
            return {}
        return wanted_quotes(self.settings, self.rules, reference, best, holdings - self.target)

    def bring(self, side: str, have: List[Order], want: Optional[Quote]) -> None:
        """Makes the smallest change that turns the open order of a side into the wanted one: nothing, amend, replace,
        place or cancel.
        """
        if side in self.unseen.values():
            return
        for extra in have[1:] if want is not None else have:
            self.cancel(extra)
        if want is None:
            return
        if not have:
            self.place(side, want)
            return
        order = have[0]
        left = order["quantity"] - order["executedQuantity"]
        if abs(order["price"] - want.price) > self.settings.tolerance * want.price or left * 2 < want.quantity:
            self.replace(order, want)
        elif want.quantity < left:
            # Less at the same price: the order keeps its place in the queue.
            self.unseen[order["id"]] = side
            self.stream.amend_order(order["executedQuantity"] + want.quantity, order_id=order["id"])
            say("amended", side, "to", want.quantity)

    def place(self, side: str, want: Quote) -> None:
        placed = self.stream.place_order(
            self.settings.symbol,
            side,
            "LIMIT_MAKER",
            quantity=want.quantity,
            price=want.price,
            new_client_order_id=self.new_id(),
        )
        self.unseen[placed["id"]] = side
        say("placed", side, want.quantity, "at", want.price)

    def replace(self, order: Order, want: Quote) -> None:
        """One command: the old order is canceled and the new one placed, or neither, so that no taker can trade with
        both.
        """
        done = self.stream.cancel_replace(
            self.settings.symbol,
            order["side"],
            "LIMIT_MAKER",
            cancel_id=order["id"],
            quantity=want.quantity,
            price=want.price,
            new_client_order_id=self.new_id(),
        )
        self.unseen[done["newOrderResponse"]["data"]["id"]] = order["side"]
        say("replaced", order["side"], want.quantity, "at", want.price)

    def cancel(self, order: Order) -> None:
        if order["id"] in self.unseen:
            return
        self.unseen[order["id"]] = order["side"]
        try:
            self.stream.cancel_order(order["id"])
            say("canceled", order["side"], "at", order["price"])
        except OrderNotFoundError:
            say("was gone already:", order["side"], "at", order["price"])

    def new_id(self) -> str:
        """Unique over restarts: the exchange's time, and a random part."""
        return f"{self.settings.name}-{self.exchange.clock.now():x}-{os.urandom(3).hex()}"

    # Protection

    def let_the_past_end(self) -> None:
        """Returns when no request sent before, by this process or by one that was killed, can still become an order.

        An order takes effect within `recv_window` after it was sent, and orders are processed in the order of their
        times. So once the exchange reports that an unused name is final with that deadline, all of them are decided.
        """
        deadline = self.exchange.clock.now() + self.settings.recv_window
        self.exchange.order_outcome(self.new_id(), deadline)

    def recover(self) -> None:
        """Finds the open orders, including those that the account has not reported yet."""
        self.let_the_past_end()
        known = self.account.orders
        self.unseen = {
            order["id"]: order["side"]
            for order in self.exchange.open_orders(self.settings.symbol)
            if self.is_own(order) and order["id"] not in known
        }
        self.in_doubt = False

    def is_own(self, order: Order) -> bool:
        return order.get("clientOrderId", "").startswith(self.settings.name + "-")

    def keep_countdown(self) -> None:
        """The dead man's switch: all orders of the symbol are canceled unless this is called again in time."""
        if time.monotonic() >= self.countdown_at:
            self.stream.countdown_cancel_all(self.settings.countdown_ms, symbol=self.settings.symbol)
            self.countdown_at = time.monotonic() + self.settings.countdown_ms / 3000

    def pause(self, cause: Exception, seconds: float) -> None:
        say("waits", f"{seconds} s:", cause)
        self.wait_until = time.monotonic() + seconds

    def stop(self) -> None:
        """Cancels its orders, and switches the countdown off."""
        try:
            if self.in_doubt:
                self.let_the_past_end()
            for order in self.exchange.open_orders(self.settings.symbol):
                if self.is_own(order):
                    self.stream.cancel_order(order["id"])
            self.stream.countdown_cancel_all(0, symbol=self.settings.symbol)
            say("stopped")
        except BourseError as failure:
            say("stopped without canceling; the countdown cancels the orders:", failure)
        finally:
            self.stream.close()
            save_session(self.settings.state, None)


# --- Set-up -----------------------------------------------------------------------------------------------------------


def rules_of(exchange: Bourse, symbol: str) -> Rules:
    filters = {each["filterType"]: each for each in exchange.rules(symbol)["symbols"][0]["filters"]}
    return Rules(
        tick=filters["PRICE_FILTER"]["tickSize"],
        step=filters["LOT_SIZE"]["stepSize"],
        least_quantity=filters["LOT_SIZE"]["minQty"],
        least_total=filters["NOTIONAL"]["minNotional"],
    )


def load_session(path: Optional[str]) -> Optional[str]:
    try:
        with open(path or "", encoding="utf-8") as file:
            return str(json.load(file)["session"])
    except (OSError, ValueError, KeyError):
        return None


def save_session(path: Optional[str], session: Optional[str]) -> None:
    """Stored, so that the orders of a killed process stay if another one starts within the grace."""
    if path is None:
        return
    if session is None:
        if os.path.exists(path):
            os.remove(path)
        return
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"session": session}, file)
    os.replace(path + ".new", path)


def plain(word: object) -> str:
    """A foreign text for a terminal: control characters and invisible characters are escaped."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(word))


def say(*words: object) -> None:
    print(time.strftime("%H:%M:%S"), *map(plain, words), flush=True)


def arguments() -> Settings:
    parser = argparse.ArgumentParser(description="A market maker. BOURSE_URL, BOURSE_KEY and BOURSE_SECRET give the address and the key.")
    parser.add_argument("--symbol", default="BTC/USDT")
    parser.add_argument("--quantity", type=Decimal, default=Decimal("0.01"), help="of each quote, in the base asset")
    parser.add_argument("--half-spread", type=Decimal, default=Decimal("0.001"), help="fraction of the price (0.001)")
    parser.add_argument("--skew", type=Decimal, default=Decimal("0.01"), help="fraction of the price for each unit held too much (0.01)")
    parser.add_argument("--limit", type=Decimal, default=Decimal("0.1"), help="of the position, in the base asset")
    parser.add_argument("--tolerance", type=Decimal, default=Decimal("0.0001"), help="fraction of the price (0.0001)")
    parser.add_argument("--target", type=Decimal, help="what it should hold of the base asset (what it holds at the start)")
    parser.add_argument("--price", type=Decimal, help="reference while the market has none")
    parser.add_argument("--name", default="maker", help="orders' ids begin with it; at most 12 characters")
    parser.add_argument("--recv-window", type=int, default=2000, help="milliseconds (2000)")
    parser.add_argument("--countdown", type=int, default=30_000, help="of the dead man's switch, milliseconds (30000)")
    parser.add_argument("--grace", type=int, default=10_000, help="of the connection, milliseconds, up to 60000 (10000)")
    parser.add_argument("--state", help="file that keeps the session over a restart")
    given = parser.parse_args()
    if not 1 <= len(given.name) <= 12:
        parser.error("--name: expected 1 to 12 characters")
    if min(given.quantity, given.half_spread, given.limit) <= 0 or given.skew < 0 or given.tolerance < 0:
        parser.error("--quantity, --half-spread and --limit must be above 0, --skew and --tolerance not below")
    if given.countdown < 3000:
        parser.error("--countdown: expected 3000 milliseconds or more")
    return Settings(
        symbol=given.symbol,
        quantity=given.quantity,
        half_spread=given.half_spread,
        skew=given.skew,
        limit=given.limit,
        tolerance=given.tolerance,
        target=given.target,
        price=given.price,
        name=given.name,
        recv_window=given.recv_window,
        countdown_ms=given.countdown,
        grace_ms=given.grace,
        state=given.state,
    )


def main() -> int:
    settings = arguments()
    try:
        # A late order is no longer wanted at its price: it is decided again, not sent again.
        exchange = Bourse.from_environment(recv_window=settings.recv_window, patience_s=5, order_attempts=1)
        maker = Maker(exchange, settings)

        def stop(*_: object) -> None:
            maker.stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        maker.run()
        return 0
    except BourseError as failure:
        print(f"{type(failure).__name__}: {plain(failure)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
