import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';

/** An item, or a map of one, as stream records carry it. */
export type Image = Record<string, AttributeValue>;

/** The plain values of an image; empty when there is none. */
export function plain(image: Image | undefined): Record<string, unknown> {
  return image ? unmarshall(asSdkImage(image)) : {};
}

/** `aws-lambda` and the SDK describe one and the same wire form. */
function asSdkImage(image: Image): Parameters<typeof unmarshall>[0] {
  return image as Parameters<typeof unmarshall>[0];
}
