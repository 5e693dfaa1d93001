import * as v from 'valibot';

/** Maximum number of entries per page, and the default. */
export const LIMIT_MAX = 100;
export const LIMIT_DEFAULT = 50;

/** The query parameter `limit`: an integer from 1 to 100. */
export const Limit = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX,
    `must be an integer from 1 to ${LIMIT_MAX}`,
  ),
  v.transform(Number),
);

/** As `Limit`, for lists that browsers read: a larger number counts as 100. */
export const ClampedLimit = v.pipe(
  v.string(),
  v.check((text) => /^0*[1-9]\d{0,14}$/.test(text), 'must be an integer from 1'),
  v.transform((text) => Math.min(Number(text), LIMIT_MAX)),
);
