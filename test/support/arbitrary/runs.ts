/** How many cases a costly property tries: few by default, PROPERTY_RUNS in the long run. */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? usual),
})
