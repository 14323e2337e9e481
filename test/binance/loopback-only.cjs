/** Loaded before a client: no connection leaves this machine, and one that would ends the program. */
const net = require('node:net')

const { connect } = net.Socket.prototype
const HERE = ['127.0.0.1', 'localhost', '::1']
const OTHER_ADDRESS = 9

net.Socket.prototype.connect = function connectHere(...args) {
  const [first] = args
  const [options] = Array.isArray(first) ? first : [first]
  const host = typeof options === 'object' ? (options.host ?? 'localhost') : args[1]
  if (!HERE.includes(host)) {
    process.stderr.write(`a client connects to ${host}: expected only this machine\n`)
    process.exit(OTHER_ADDRESS)
  }
  return connect.apply(this, args)
}
