/**
 * The reports that every correct engine produces for the benchmark's own workloads: 1,000,000 new orders of
 * seed 23, its `reference/correctness_hash.txt`. A workload is identified by the SHA-256 of its file, as its
 * generator writes it with the GNU C library.
 */

type Published = { readonly scenario: string; readonly workload: string; readonly reports: string }

const PUBLISHED: readonly Published[] = [
  {
    scenario: 'static',
    workload: '22f782cf6865a53ed150424b87f51a35dc80be87e2427c78c3b5a12d6ccc0ae5',
    reports: '9803843ee404fc29c9a0aa5614f8f0d5a58b5c44fcac9ef89067886fcaaa30d1',
  },
  {
    scenario: 'normal',
    workload: 'd925e1a4fc03cfcf7f0db8f9ad4c6c8674991250b702e9dc3f1b2b7c9f4bfbc1',
    reports: 'e9b2e3926854410b01a035aeb25dd05f1e597c233be8263de9eb49b6713d367e',
  },
  {
    scenario: 'swing-25',
    workload: '814c1cc319bd7a7e3c0b66d34e37d6a961efb2e8d86f16fff335740ba46b52d6',
    reports: '61a84be9469661bd039e00dbc9a7c011e70b6ace37aadfe60045ea083b05f4df',
  },
  {
    scenario: 'swing-40',
    workload: 'd0941f009872a70b6d337ff71844188d964a0f7039ee669962ff7a398380d3d0',
    reports: '3cb0175e7982ff09ea220d1feaee3844cf9116a5ce455757879dea1d880b9b9f',
  },
  {
    scenario: 'flash-crash',
    workload: '1cd9573c7703baa8f9ce655f4fceab25526dfb4e857eb0c563d1d2a51fd00285',
    reports: 'cff8d3f94b709fc64a8b2058a6ca4fb6920364904796e46906895e362d2bb16b',
  },
]

/** The published digest of a workload file; undefined for another file. */
export function publishedOf(bytes: Uint8Array): Published | undefined {
  const workload = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  return PUBLISHED.find((each) => each.workload === workload)
}
