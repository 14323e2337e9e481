/** Help texts of `bourse standby`. */
export const STANDBY_HELP = `bourse standby: keep a live copy of a node

Usage: bourse standby --from URL --data DIR --replication-secret-file FILE [options]

Follows the journal of a running node (replication.listen) over a link, checks the hash chain of each batch, writes it to DIR,
replays it and compares the state with the node's. An empty DIR is filled from the node first. The customer store is copied
too; copy the node's file customers/customers.keys to the same place in DIR yourself. A standby serves only health and
metrics. See docs/standby.md.

Options:
  --from URL     address of the node: wss://host:port, ws://127.0.0.1:port on this machine, or the absolute path of a socket
  --name NAME    name of this standby, shown by the node; default: the name of the machine
  all settings of bourse serve, used if the standby is promoted. Until then it uses only --data, --replication-secret-file,
  --replication-ca-file, --monitoring-host, --monitoring-port, --log-level and the settings of the follower
  --help         show this help

Exit code: 0 stopped by a signal, or promoted; 1 it could not start, DIR cannot follow that node, or the data it received
cannot be trusted; 75 start it again.`

export const PROMOTE_HELP = `bourse standby promote: turn a standby into the node

Usage: bourse standby promote --data DIR --replication-secret-file FILE [--yes-the-old-node-is-off] [--no-serve] [options]

Stops the standby that runs on DIR, begins a new epoch of the journal there, and continues like bourse serve. Commands that
the old node had not yet sent to the standby are lost: bourse standby logs how far it was behind. Prints the time of
the newest data in the customer store. If the old node still answers, promotion is refused: stop that node first. See
docs/standby.md.

Options:
  --yes-the-old-node-is-off  confirm that the old node is off and will not be started as a node again; otherwise you are asked
  --no-serve                 exit after the promotion; start the node later with bourse serve
  all settings of bourse serve
  --help                     show this help

Exit code: that of bourse serve; with --no-serve 0 promoted, now or earlier; 1 not promoted, and nothing was changed.`
