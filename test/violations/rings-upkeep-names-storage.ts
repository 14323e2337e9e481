// tool: rings; place: src/app/node/upkeep/violation-storage.ts; says: storage
export { openStorage } from '../../../storage/sqlite/storage.ts'
