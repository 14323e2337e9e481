/** Loaded before ccxt's tests: adds the exchange's class to the ccxt whose entry `CCXT_ENTRY` names. */
import { registerBourse } from '../../clients/ccxt/index.js'

const { default: ccxt } = await import(process.env.CCXT_ENTRY)
registerBourse(ccxt)
