/** Help texts of the program. */

const NODE_OPTIONS = `  --port N             port to listen on, 0 for any free one [PORT, default 8080]
  --binance-port N     port for clients of Binance's spot interface, 0 for any free one
                       [BOURSE_BINANCE_PORT, default none; sandbox: any free one]
  --host ADDRESS       address to listen on [BOURSE_HOST, default 127.0.0.1]
  --gateways N         number of gateway processes, or auto: the number of cores minus two [BOURSE_GATEWAYS, default 1]
  --limits on|off      rate limits and bans; off for load tests [BOURSE_LIMITS]
  --config FILE        settings as JSON; environment variables and options override it [BOURSE_CONFIG]
  --tls-cert-file FILE, --tls-key-file FILE
                       certificate chain and private key, PEM: serve HTTPS instead of HTTP; SIGHUP reloads
                       them [BOURSE_TLS_CERT_FILE, BOURSE_TLS_KEY_FILE]
  --admin-port N       port of the admin server [BOURSE_ADMIN_PORT, default any free one]
  --admin-host ADDRESS address of the admin server; any but 127.0.0.1, ::1 and localhost requires a certificate
                       [BOURSE_ADMIN_HOST, default 127.0.0.1]
  --monitoring-port N  port of health and metrics [BOURSE_MONITORING_PORT, default any free one]
  --monitoring-host ADDRESS
                       address of health and metrics [BOURSE_MONITORING_HOST, default 127.0.0.1]
  --log-level LEVEL    debug, info, warn, error or silent; JSON lines on standard error [BOURSE_LOG_LEVEL]
  --drain-delay-ms N   after a stop signal, report "not ready" but keep serving this long, so that a load balancer
                       can move clients to another node [BOURSE_DRAIN_DELAY_MS, default 0]
  --accept-journal-tail
                       start although the journal is shorter than the witness records: use it only after
                       you restored a backup
  --accept-clock       trust the clock although it is far ahead of the journal's last command
  --help               show this help

Every other setting also has an option and an environment variable: bourse config show lists them all.
The secrets of API keys are encrypted with DIR/master.key, or with BOURSE_MASTER_KEY (64 hexadecimal digits).`

export const HELP = `bourse: a spot exchange

Usage: bourse <command> [options]

Commands:
  sandbox    start a test exchange with symbols, two funded accounts and their API keys
  serve      start the exchange of a data directory
  init       create a new, empty exchange in a data directory
  admin      manage a running node: listings, accounts, keys, money, approvals, tokens, bans, audit
  top        watch a running node in the terminal
  config     check the settings, or list each setting with its value and source
  cluster    create and check a cluster's database; move an exchange into it and back
  engine     run one engine of a cluster
  gateway    run one gateway of a cluster, which serves clients through the leading engine
  historian  run one historian of a cluster
  customers  run one process for the customers of a cluster
  standby    keep a live copy of a running node; promote turns the copy into the node
  completion print a completion script for bash, zsh or fish
  verify     check everything in a data directory: checksums, replay, balances, history
  replay     show the exchange as it was at any time: books, balances, open orders
  journal    list commands with their results and effects
  backup     copy an exchange, running or stopped, and verify the copy
  restore    create a data directory from a backup, and verify it
  repair     replace damaged batches of the journal from a backup
  rebuild    rebuild trade history from the journal
  archive    move the older part of a journal to a verified file that all these commands read
  report     statements, trades, fees and balances for bookkeeping, as CSV or JSON
  liabilities
             prove to each customer that the published total of liabilities includes their balances

  --version  show the version
  --help     show this help, or the help of a command

Examples:
  bourse sandbox --port 0
  bourse serve --data /var/lib/bourse --port 8080 --init
  bourse admin --data /var/lib/bourse asset add BTC --fraction 8 --name Bitcoin`

export const SANDBOX_HELP = `bourse sandbox: a test exchange with everything set up

Usage: bourse sandbox [options]      from a checkout: npm start -- [options]
       bourse sandbox demo [options]   the same with simulated traders; see bourse sandbox demo --help
       bourse sandbox clients [NAME]   print the lines that connect clients of Binance; see bourse sandbox clients --help
       bourse sandbox reset [options]  reset it to its initial state; see bourse sandbox reset --help
       bourse sandbox grade <command>  test a bot and list its faults; see bourse sandbox grade --help

Options (and environment variables):
  --data DIR           data directory, kept between runs [DATA_DIR, default data/sandbox]
  --self-trade MODE    self-trade prevention of the symbols, applied when they are first listed: NONE (the orders
                       trade), EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH or DECREMENT [EXPIRE_MAKER]
${NODE_OPTIONS}`

export const DEMO_HELP = `bourse sandbox demo: the sandbox with a live market of simulated makers and takers

Usage: bourse sandbox demo [options]      from a checkout: npm run demo -- [options]

The simulated traders are accounts of the sandbox and use its HTTP interface like any client. They never run out of money,
and their orders are canceled when the sandbox stops.

Options:
  --seed N             repeat the decisions of a run, as long as the exchange gives the same answers: 0 to
                       9007199254740991 [random, and printed]
  --pace N             steps per second, 1 to 50: in each step one trader places an order or updates its quotes in one
                       symbol [8]
All options of the sandbox, and its environment variables:
  --data DIR           data directory, kept between runs [DATA_DIR, default data/sandbox]
  --self-trade MODE    self-trade prevention of the symbols, applied when they are first listed: NONE (the orders
                       trade), EXPIRE_TAKER, EXPIRE_MAKER, EXPIRE_BOTH or DECREMENT [EXPIRE_MAKER]
${NODE_OPTIONS}`

export const SERVE_HELP = `bourse serve: run the exchange of a data directory

Usage: bourse serve --data DIR [options]

Options (and environment variables):
  --data DIR           data directory [DATA_DIR]
  --init               create a new, empty exchange in it, and the directory if it does not exist. Without --init a
                       directory without an exchange is refused: its disk may not be mounted
${NODE_OPTIONS}`
