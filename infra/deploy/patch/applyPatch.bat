@echo off
rem Puts a patch of the product beside what is in force; the next start switches to it.
rem   applyPatch.bat ^<patch archive^>
rem Settings are those of the product: LOGEYE_DATA_DIR, LOGEYE_PATCH_PUBLIC_KEY.
if "%~1"=="" (
  echo usage: applyPatch.bat ^<patch archive^> 1>&2
  exit /b 2
)
if "%LOGEYE_HOME%"=="" set "LOGEYE_HOME=%~dp0..\..\.."
node "%LOGEYE_HOME%\dist\main.js" apply-patch "%~1"
exit /b %ERRORLEVEL%
