import * as v from 'valibot';

/** The tags of a link in an email: values by name, in the format of SES's click events. */
export const LinkTags = v.record(v.string(), v.array(v.string()));
export type LinkTags = v.InferOutput<typeof LinkTags>;
