// tool: rings; place: src/app/violation-unbounded-json-body.ts; says: unbounded-json
export const wrong = (request: Request): Promise<unknown> => request.json()
