// tool: rings; place: src/app/maintenance/reports/violation-prints.ts; says: printing
const { stderr } = process
export const wrong = (text: string) => stderr.write(text)
