// tool: rings; place: src/views/violation-re-export.ts; says: re-export
export { NO_EVENTS } from '../core/exchange/event.ts'
