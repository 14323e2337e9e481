/** Loaded before ccxt's tests: makes the exchange's class one of that ccxt, whose entry `CCXT_ENTRY` names. */
import { registerBourse } from '../../clients/ccxt/index.js'

const { default: ccxt } = await import(process.env.CCXT_ENTRY)
registerBourse(ccxt)
