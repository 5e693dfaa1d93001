/** `few` in `npm test`, `rest` in `npm run test:all`, `all` elsewhere. */
const CASES = process.env.CASES ?? 'all';
if (!/^(few|rest|all)$/.test(CASES)) throw new Error(`CASES is neither few, rest nor all: ${CASES}`);

/** Only a few cases run, the rest in `npm run test:all`. */
export const isFew = CASES === 'few';

/** A prime: in a table of channels and kinds it takes each in turn. */
const ONE_OF = 5;

/** Of cases that are alike: every fifth in `npm test`, the others in `npm run test:all`. */
export const partOf = <T>(cases: readonly T[]): T[] =>
  cases.filter((_, index) => CASES === 'all' || (index % ONE_OF === 0) === isFew);
