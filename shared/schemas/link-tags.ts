import * as v from 'valibot';

/** The tags of a link in an email: values by name, in the form that SES tells a click's tags in. */
export const LinkTags = v.record(v.string(), v.array(v.string()));
export type LinkTags = v.InferOutput<typeof LinkTags>;
