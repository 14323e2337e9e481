/** Ping, and the server's time. */
import type { Handler } from '../wire-call.ts'

export const ping: Handler = () => '{}'

export const time: Handler = ({ call }) => `{"serverTime":${call.serverTime}}`
