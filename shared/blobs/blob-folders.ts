/** Folders of the blob store, each with names of one kind. A row names those that its function reads and writes. */
export const BLOB_FOLDERS = ['requests', 'digests', 'attachments', 'media', 'inbound', 'exports'] as const;
export type BlobFolder = (typeof BLOB_FOLDERS)[number];

/** Kinds whose objects live as long as the log that names them. */
export const LIFE_FOLDERS = ['requests', 'digests', 'attachments'] as const satisfies readonly BlobFolder[];
export type LifeFolder = (typeof LIFE_FOLDERS)[number];

/** Folder in which SES and the local listener store received email. */
export const INBOUND_PREFIX = 'inbound/';

/** Folder of the large parts of heads: everything that a reader of delivery logs reads. */
export const LOG_FOLDERS = ['requests', 'digests'] as const satisfies readonly BlobFolder[];

/** Folder of an account's exports of data about people. */
export const exportFolderOf = (accountId: string): string => `exports/${accountId}`;

/** Folder of the files of an account's text messages until their carrier has fetched them. */
export const mediaFolderOf = (accountId: string): string => `media/${accountId}`;
