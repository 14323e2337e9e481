// tool: rings; place: src/gateway/trading/violation-socket.ts; says: package
import { connect } from 'node:net'

export const wrong = connect
