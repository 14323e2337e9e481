// tool: rings; place: src/server/trading/violation-socket.ts; says: package
import { connect } from 'node:net'

export const wrong = connect
