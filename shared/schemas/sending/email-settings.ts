import * as v from 'valibot';
import { textUpTo } from '../fields/text.ts';

const HEADERS_MAX = 10;
/** Header names of the service itself, which others would read wrongly, are excluded. */
const HEADER_NAME =
  /^(?:X-(?!Tracking-ID$|Auto-Response|SES-)[A-Za-z0-9-]{1,60}|Importance|Priority|Sensitivity)$/i;
const HEADER_VALUE = /^[ -~]{1,500}$/;

/** Settings of an email, on a request or as a type's defaults. */
export const EMAIL_SETTINGS = {
  retryHours: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(72))),
  tracking: v.optional(v.object({ opens: v.optional(v.boolean()), clicks: v.optional(v.boolean()) })),
  thread: v.optional(textUpTo(255)),
  headers: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.regex(HEADER_NAME, 'must be X-…, Importance, Priority or Sensitivity')),
        v.pipe(v.string(), v.regex(HEADER_VALUE, 'must be 1 to 500 printable ASCII characters')),
      ),
      v.check((value) => Object.keys(value).length <= HEADERS_MAX, 'must have at most 10 headers'),
    ),
  ),
};
