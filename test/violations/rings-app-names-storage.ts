// tool: rings; place: src/app/violation-names-storage.ts; says: storage
export { openStorage } from '../storage/sqlite/storage.ts'
