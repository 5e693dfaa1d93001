import fc from 'fast-check';

/** A failed run can be repeated: property tests draw from this seed, and from another seed when asked to. */
const SEED = 20_261_121;

const { PROPERTY_SEED, PROPERTY_RUNS } = process.env;
fc.configureGlobal({
  seed: PROPERTY_SEED === undefined ? SEED : Number(PROPERTY_SEED),
  ...(PROPERTY_RUNS === undefined ? {} : { numRuns: Number(PROPERTY_RUNS) }),
});
