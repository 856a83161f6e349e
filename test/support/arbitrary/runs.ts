/** How many cases an expensive property tries: few by default, PROPERTY_RUNS in long runs. */
export const runs = (usual: number): { readonly numRuns: number } => ({
  numRuns: Number(process.env['PROPERTY_RUNS'] ?? usual),
})
