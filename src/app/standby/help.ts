/** What `bourse standby` says of itself. */
export const STANDBY_HELP = `bourse standby: a copy of a node that is never a day old

Usage: bourse standby --from URL --data DIR --replication-secret-file FILE [options]

It follows the journal of a running node (replication.listen) over a link, verifies each batch by the chain, writes it to DIR, replays it and compares
the state with the node's. An empty DIR is filled from the node first. It serves health and metrics alone. See docs/standby.md.

Options:
  --from URL     where the node is reached: wss://host:port, ws://127.0.0.1:port on this machine, or the absolute path of a socket
  --name NAME    by which the node knows this standby, instead of the machine's name
  all settings of bourse serve: those of the node that it may become. It uses --data, --replication-secret-file, --replication-ca-file,
  --monitoring-host, --monitoring-port, --log-level and those of the follower
  --help         show this help

Exit code: 0 stopped by a signal, or promoted; 1 it could not start, DIR cannot follow that node, or what it was given cannot be trusted; 75 start it again.`

export const PROMOTE_HELP = `bourse standby promote: make a node of a standby

Usage: bourse standby promote --data DIR --replication-secret-file FILE [--yes-the-old-node-is-off] [--no-serve] [options]

Stops the standby that runs on DIR, begins a later epoch of the journal there, and goes on as bourse serve does. What the old node had not shipped
is lost: bourse standby says how far it was behind. A node that answers is not taken over from: stop it first. See docs/standby.md.

Options:
  --yes-the-old-node-is-off  the old node is off and will not be started again as a node; without it you are asked
  --no-serve                 end when DIR is a node's: start it with bourse serve
  all settings of bourse serve
  --help                     show this help

Exit code: that of bourse serve; with --no-serve 0 done, or done before; 1 not done, and nothing was changed.`
