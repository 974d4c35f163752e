/** MIME type under which a notebook keeps a profile. */
export const MIME_TYPE = 'application/vnd.jupyter-mlprof.v1+json';
