/* viewer_text.h: the page in which people look at a result, report/viewer/, without the result. scripts/page.awk makes
 * the lines at build time; each array ends with NULL. */
#ifndef REPORT_VIEWER_TEXT_H
#define REPORT_VIEWER_TEXT_H

extern const char *const VIEWER_HEAD[]; /* up to where the result stands, as JSON in a <script> */
extern const char *const VIEWER_TAIL[]; /* and from there on */

#endif
