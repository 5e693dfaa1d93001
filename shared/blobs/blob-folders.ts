/** Folders of the blob store, each with names of one kind. A row names those that its function reads and writes. */
export const BLOB_FOLDERS = ['requests', 'digests', 'attachments', 'media', 'inbound'] as const;
export type BlobFolder = (typeof BLOB_FOLDERS)[number];

/** Where SES and the local listener store received email. */
export const INBOUND_PREFIX = 'inbound/';

/** Where the large parts of heads are stored: everything that a reader of delivery logs reads. */
export const LOG_FOLDERS = ['requests', 'digests'] as const satisfies readonly BlobFolder[];
