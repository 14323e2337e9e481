// tool: rings; place: src/app/violation-names-storage.ts; says: storage
export { openStorage } from '../drivers/sqlite/storage.ts'
