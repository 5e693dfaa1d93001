import type { HttpResponse } from '../../shared/http/endpoint/response.ts';

/** A part of a file of a stranger's: it is downloaded and never shown. */
export type FileResponse = {
  bytes: Uint8Array;
  offset: number;
  size: number;
  filename: string;
  contentType: string;
};

export function fileResponse(
  { bytes, offset, size, filename, contentType }: FileResponse,
  requestId: string,
): HttpResponse {
  const plain = filename.replace(/[^\w. -]/g, '_');
  return {
    statusCode: 200,
    headers: {
      'content-type': /^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : 'application/octet-stream',
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)}`,
      'content-range': `bytes ${offset}-${Math.max(offset, offset + bytes.length - 1)}/${size}`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': requestId,
    },
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
  };
}
