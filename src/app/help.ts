/** Help texts of the program. */

const NODE_OPTIONS = `  --port N             port to listen on, 0 for any free one [PORT, default 8080]
  --host ADDRESS       address to listen on [BOURSE_HOST, default 127.0.0.1]
  --gateways N         processes that serve clients, or auto: one for each core beside two [BOURSE_GATEWAYS, default 1]
  --limits on|off      rate limits and bans; off for load tests [BOURSE_LIMITS]
  --config FILE        settings as JSON; environment and options win over it [BOURSE_CONFIG]
  --tls-cert-file FILE, --tls-key-file FILE
                       certificate with its chain and private key, PEM: HTTPS instead of HTTP; read again at
                       SIGHUP [BOURSE_TLS_CERT_FILE, BOURSE_TLS_KEY_FILE]
  --admin-port N       port of the admin server [BOURSE_ADMIN_PORT, default any free one]
  --admin-host ADDRESS address of the admin server; others than 127.0.0.1, ::1 and localhost need the certificate
                       [BOURSE_ADMIN_HOST, default 127.0.0.1]
  --monitoring-port N  port of health and metrics [BOURSE_MONITORING_PORT, default any free one]
  --monitoring-host ADDRESS
                       address of health and metrics [BOURSE_MONITORING_HOST, default 127.0.0.1]
  --log-level LEVEL    debug, info, warn, error or silent; JSON lines on standard error [BOURSE_LOG_LEVEL]
  --drain-delay-ms N   how long to go on serving after a signal to stop, not ready any more, so that a load
                       balancer looks elsewhere [BOURSE_DRAIN_DELAY_MS, default 0]
  --accept-journal-tail
                       take the journal as it is although a witness remembers more: only after
                       you have restored a backup
  --accept-clock       take the clock for right although it is far ahead of the journal's last command
  --help               show this help

Every other setting has an option and a variable too: bourse config show lists all.
The secrets of API keys are sealed with DIR/master.key, or with BOURSE_MASTER_KEY (64 hexadecimal digits).`

export const HELP = `bourse: a spot exchange

Usage: bourse <command> [options]

Commands:
  sandbox    start an exchange with symbols, two funded accounts and their keys, to try things out
  serve      start an exchange with what its data directory holds
  init       make a new, empty exchange in a data directory
  admin      work on a running node: listings, accounts, keys, money, approvals, tokens, bans, audit
  top        watch a running node in the terminal
  config     check settings, or show each with its value and where it comes from
  cluster    make and check the database of a cluster; move an exchange into it and back
  engine     run one engine of a cluster
  gateway    serve clients of a cluster, before whichever engine leads
  historian  run one historian of a cluster
  standby    follow a running node with a copy that can take over; promote makes a node of it
  completion what lets a shell complete these words: bash, zsh or fish
  verify     check everything in a data directory: checksums, replay, balances, history
  replay     show the exchange as it was at any moment: books, balances, open orders
  journal    list commands, answers and what they caused, in words
  backup     copy an exchange, also while it runs; verified
  restore    make a data directory from a backup; verified
  repair     take damaged batches of the journal from a backup
  rebuild    make trade history anew from the journal
  archive    move the older part of a journal to a file that all of these read; verified
  report     statements, trades, fees and balances for the books, as CSV or JSON
  liabilities
             show each customer that what it has is in what the exchange says that it owes

  --version  show the version
  --help     show this help; also after a command

Examples:
  bourse sandbox --port 0
  bourse serve --data /var/lib/bourse --port 8080 --init
  bourse admin --data /var/lib/bourse asset add BTC --fraction 8 --name Bitcoin`

export const SANDBOX_HELP = `bourse sandbox: an exchange to try things out on, with everything set up

Usage: bourse sandbox [options]      from a checkout: npm start -- [options]
       bourse sandbox demo [options]   the same with a market that lives; see bourse sandbox demo --help
       bourse sandbox reset [options]  back to its start; see bourse sandbox reset --help
       bourse sandbox grade <command>  what a bot does wrong; see bourse sandbox grade --help

Options (and environment variables):
  --data DIR           data directory, kept between runs [DATA_DIR, default data/sandbox]
  --self-trade MODE    what becomes of an order that meets one of its own account, where the symbols are not listed yet:
                       NONE (they trade), EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH or DECREMENT [EXPIRE_MAKER]
${NODE_OPTIONS}`

export const DEMO_HELP = `bourse sandbox demo: the sandbox with a market that lives: makers and takers of its own trade on it

Usage: bourse sandbox demo [options]      from a checkout: npm run demo -- [options]

Its traders are accounts of the sandbox and use its HTTP interface as anybody does; they never run out of money, and their
orders are canceled when the sandbox stops.

Options:
  --seed N             makes the same decisions again, given the same answers: 0 to 9007199254740991 [drawn, and printed]
  --pace N             steps a second, 1 to 50: at each a trader places an order, or brings its quotes on one symbol
                       up to date [8]
All options of the sandbox, and its environment variables:
  --data DIR           data directory, kept between runs [DATA_DIR, default data/sandbox]
  --self-trade MODE    what becomes of an order that meets one of its own account, where the symbols are not listed yet:
                       NONE (they trade), EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH or DECREMENT [EXPIRE_MAKER]
${NODE_OPTIONS}`

export const SERVE_HELP = `bourse serve: an exchange with what its data directory holds

Usage: bourse serve --data DIR [options]

Options (and environment variables):
  --data DIR           data directory [DATA_DIR]
  --init               make a new, empty exchange in it, and the directory if absent. Without it a directory that holds
                       no exchange is refused: its disk may not be mounted
${NODE_OPTIONS}`
