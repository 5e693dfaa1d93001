const LENGTH_MAX = 1000;

/** A provider's own code and text, cut to the length of a log field. */
export function internalText(text: string): string {
  return text.trim().slice(0, LENGTH_MAX);
}
