# tandem_embed_targets(OUTPUT json files...): writes the C++ initialisers that embed the
# target descriptions, {"name", R"json(text)json"} in the order given, at configure time;
# a change of a file configures again.
function(tandem_embed_targets output)
  set(text "// Generated from lib/Cost/targets; do not edit.\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} json)
    string(APPEND text "{\"${name}\", R\"json(${json})json\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
