import mime from 'mime';

/**
 * File name extensions that SES rejects (developer guide, "unsupported attachment types"); rejected on plain
 * SMTP too, because mailboxes reject them as well.
 */
const REFUSED_EXTENSIONS = new Set(
  [
    'ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib',
    'lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml',
    'msh2xml msi msp mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url',
    'vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk',
  ].flatMap((line) => line.split(' ')),
);

const UNKNOWN_TYPE = 'application/octet-stream';
const UNSAID_TYPES = ['', UNKNOWN_TYPE, 'binary/octet-stream'];
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,40}\/[\w!#$&^.+-]{1,64}$/;
// SES's limit of Attachment.ContentType.
const TYPE_LENGTH_MAX = 78;

/** True if SES, and most mailboxes, reject a file of this name. */
export function isRefusedFile(filename: string): boolean {
  return REFUSED_EXTENSIONS.has(extensionOf(filename));
}

/**
 * The media type of a file: the response's `content-type`, with its charset if that fits into 78 characters. Falls back to the
 * name's extension, then to `application/octet-stream`.
 */
export function typeOfFile(filename: string, contentType: string | undefined): string {
  const [essence = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const type = essence.toLowerCase();
  if (UNSAID_TYPES.includes(type) || !MEDIA_TYPE.test(type) || type.length > TYPE_LENGTH_MAX) {
    return mime.getType(extensionOf(filename)) ?? UNKNOWN_TYPE;
  }
  const charset = parameters.find((parameter) => /^charset="?[\w-]{1,30}"?$/i.test(parameter));
  const full = charset ? `${type}; ${charset.replaceAll('"', '')}` : type;
  return full.length <= TYPE_LENGTH_MAX ? full : type;
}

// Windows ignores dots and spaces at the end of a name: "run.exe. " is run.exe.
function extensionOf(filename: string): string {
  const name = filename.trim().replace(/[. ]{1,255}$/, '');
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}
