/** What a file looks like, as far as it is shown without being brought here. */
export type FilePreview =
  | {
      readonly kind: 'text';
      /** Hostile: escape sequences and all. */
      readonly text: string;
      /** Bytes that are no UTF-8 stand as U+FFFD in it. */
      readonly isUtf8: boolean;
      readonly bytes: number;
      /** The file has more than is shown. */
      readonly isCut: boolean;
    }
  | {
      readonly kind: 'image';
      readonly mime: ImageKind;
      readonly content: Uint8Array;
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: 'none'; readonly because: string };

export type ImageKind = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export const MAX_TEXT_BYTES = 256 * 1024;
export const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
/** 4 bytes of memory for each: what a picture of a few kB may claim must not end the window. */
export const MAX_PIXELS = 40_000_000;
