-- An exchange as most that run themselves are: tables of PostgreSQL, and one transaction an order. Whoever places an order locks its market, so that
-- two orders that cross always meet; makers and balances are locked by row. Prices and quantities are whole numbers.
CREATE TABLE markets (id int PRIMARY KEY);
CREATE TABLE balances (
  account int NOT NULL,
  asset smallint NOT NULL, -- 0: base, 1: quote
  free bigint NOT NULL CHECK (free >= 0),
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  PRIMARY KEY (account, asset)
) WITH (fillfactor = 70);
CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  market int NOT NULL REFERENCES markets,
  account int NOT NULL,
  side smallint NOT NULL, -- 0: buy, 1: sell
  price bigint NOT NULL,
  quantity bigint NOT NULL,
  remaining bigint NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX asks ON orders (market, price, id) WHERE side = 1 AND remaining > 0;
CREATE INDEX bids ON orders (market, price DESC, id) WHERE side = 0 AND remaining > 0;
CREATE INDEX orders_of_account ON orders (account, id);
CREATE TABLE trades (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  market int NOT NULL,
  maker bigint NOT NULL,
  taker bigint NOT NULL,
  price bigint NOT NULL,
  quantity bigint NOT NULL,
  traded_at timestamptz NOT NULL DEFAULT now()
);

-- Answers the new order's id. Refuses an order that its account cannot pay.
CREATE FUNCTION place_order(a int, m int, s smallint, p bigint, q bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taker bigint;
  maker orders%ROWTYPE;
  remains bigint := q;
  traded bigint;
  buyer int;
  seller int;
BEGIN
  PERFORM 1 FROM markets WHERE id = m FOR UPDATE;
  UPDATE balances SET free = free - CASE s WHEN 0 THEN p * q ELSE q END, held = held + CASE s WHEN 0 THEN p * q ELSE q END
    WHERE account = a AND asset = 1 - s;
  INSERT INTO orders (market, account, side, price, quantity, remaining) VALUES (m, a, s, p, q, q) RETURNING id INTO taker;
  WHILE remains > 0 LOOP
    IF s = 0 THEN
      SELECT * INTO maker FROM orders WHERE market = m AND side = 1 AND remaining > 0 AND price <= p ORDER BY price, id LIMIT 1 FOR UPDATE;
    ELSE
      SELECT * INTO maker FROM orders WHERE market = m AND side = 0 AND remaining > 0 AND price >= p ORDER BY price DESC, id LIMIT 1 FOR UPDATE;
    END IF;
    EXIT WHEN NOT FOUND;
    traded := least(remains, maker.remaining);
    remains := remains - traded;
    UPDATE orders SET remaining = remaining - traded WHERE id = maker.id;
    INSERT INTO trades (market, maker, taker, price, quantity) VALUES (m, maker.id, taker, maker.price, traded);
    buyer := CASE s WHEN 0 THEN a ELSE maker.account END;
    seller := CASE s WHEN 0 THEN maker.account ELSE a END;
    -- The buyer's hold was at its own limit: what the maker's price saves is free again.
    UPDATE balances SET held = held - traded * CASE s WHEN 0 THEN p ELSE maker.price END,
        free = free + traded * (CASE s WHEN 0 THEN p ELSE maker.price END - maker.price) WHERE account = buyer AND asset = 1;
    UPDATE balances SET free = free + traded WHERE account = buyer AND asset = 0;
    UPDATE balances SET held = held - traded WHERE account = seller AND asset = 0;
    UPDATE balances SET free = free + traded * maker.price WHERE account = seller AND asset = 1;
  END LOOP;
  IF remains < q THEN
    UPDATE orders SET remaining = remains WHERE id = taker;
  END IF;
  RETURN taker;
END $$;
