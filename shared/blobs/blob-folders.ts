/** Folders of the blob store, by kind of object. A route's or worker's row lists the folders that it reads and writes. */
export const BLOB_FOLDERS = ['requests', 'digests', 'attachments', 'media', 'inbound', 'exports'] as const;
export type BlobFolder = (typeof BLOB_FOLDERS)[number];

/** Kinds whose objects live as long as the log that refers to them. */
export const LIFE_FOLDERS = ['requests', 'digests', 'attachments'] as const satisfies readonly BlobFolder[];
export type LifeFolder = (typeof LIFE_FOLDERS)[number];

/** SES and the local listener store received email here. */
export const INBOUND_PREFIX = 'inbound/';

/** Folder of the large parts of heads: everything that a reader of delivery logs reads. */
export const LOG_FOLDERS = ['requests', 'digests'] as const satisfies readonly BlobFolder[];

/** Folder of an account's exports of data about people. */
export const exportFolderOf = (accountId: string): string => `exports/${accountId}`;

/** Folder of the files of an account's text messages until their carrier has fetched them. */
export const mediaFolderOf = (accountId: string): string => `media/${accountId}`;
