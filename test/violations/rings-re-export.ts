// tool: rings; place: src/views/violation-re-export.ts; says: re-export
export { NO_EVENTS } from '../core/events/event.ts'
